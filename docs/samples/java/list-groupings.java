// GET /api/v1/callgroupgroupings: the groupings of call groups.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class ListGroupings {
    public static void main(String[] args) throws Exception {
        var url = System.getenv("TOCSIN_URL");
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/callgroupgroupings?limit=100"))
            .header("Authorization", "Bearer " + System.getenv("TOCSIN_TOKEN"))
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        System.out.println(answer.body());
    }
}
