// POST /api/v1/call/users: calls two people; true: the call is stored for both.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class CallUsers {
    public static void main(String[] args) throws Exception {
        var url = System.getenv("TOCSIN_URL");
        var body = """
            {"userIds": [2, 3], "msgText": "Please call the control room"}
            """;
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/call/users"))
            .header("Authorization", "Bearer " + System.getenv("TOCSIN_TOKEN"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        System.out.println(answer.body());
    }
}
