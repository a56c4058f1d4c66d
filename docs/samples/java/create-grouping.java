// POST /api/v1/callgroupgroupings: creates a grouping; the answer is its identifier.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class CreateGrouping {
    public static void main(String[] args) throws Exception {
        var url = System.getenv("TOCSIN_URL");
        var body = """
            {"name": "Operation", "callGroupIds": [1]}
            """;
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/callgroupgroupings"))
            .header("Authorization", "Bearer " + System.getenv("TOCSIN_TOKEN"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        System.out.println(answer.body());
    }
}
